// Included by atomic_file.cpp only.
#include <windows.h>

namespace gpstream {
namespace {

[[noreturn]] void fail(unsigned long code) {
  throw Error("io", "Windows error " + std::to_string(code) + ".");
}

std::wstring wide(const std::string& path) {
  const int size = MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, nullptr, 0);
  if (size <= 0) throw Error("io", "its name cannot be read.");
  std::wstring out(static_cast<std::size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, &out[0], size);
  out.resize(static_cast<std::size_t>(size) - 1);
  return out;
}

struct Handle {
  HANDLE handle;
  explicit Handle(HANDLE opened) : handle(opened) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(); }
  void close() {
    if (handle != INVALID_HANDLE_VALUE && handle != nullptr) CloseHandle(handle);
    handle = INVALID_HANDLE_VALUE;
  }
};

void refuse_directory(const std::wstring& path) {
  const DWORD kind = GetFileAttributesW(path.c_str());
  if (kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY) != 0)
    throw Error("io", "it is a directory.");
}

}  // namespace

// Not shared while it is open: one that is still at work keeps others out, one that was killed does not.
void write_file(const std::string& path, const std::vector<unsigned char>& bytes) {
  const std::wstring target = wide(path), temporary = target + L".tmp";
  refuse_directory(target);
  Handle file(CreateFileW(temporary.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL,
                          nullptr));
  if (file.handle == INVALID_HANDLE_VALUE) fail(GetLastError());
  unsigned long code = 0;
  for (std::size_t done = 0; done < bytes.size() && code == 0;) {
    DWORD now = 0;
    const DWORD wanted =
        static_cast<DWORD>(bytes.size() - done < (1U << 30) ? bytes.size() - done : (1U << 30));
    if (!WriteFile(file.handle, bytes.data() + done, wanted, &now, nullptr) || now == 0)
      code = GetLastError() != 0 ? GetLastError() : ERROR_DISK_FULL;
    done += now;
  }
  if (code == 0 && !FlushFileBuffers(file.handle)) code = GetLastError();
  file.close();
  if (code == 0 &&
      !MoveFileExW(temporary.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
    code = GetLastError();
  if (code == 0) return;
  DeleteFileW(temporary.c_str());
  fail(code);
}

std::vector<unsigned char> read_file(
    const std::string& path, std::size_t head,
    const std::function<void(const unsigned char*, std::size_t, unsigned long long)>& check_head) {
  const std::wstring source = wide(path);
  refuse_directory(source);
  Handle file(CreateFileW(source.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                          OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (file.handle == INVALID_HANDLE_VALUE) fail(GetLastError());
  LARGE_INTEGER size;
  if (!GetFileSizeEx(file.handle, &size)) fail(GetLastError());
  std::vector<unsigned char> bytes(head);
  const auto fill = [&](std::size_t from) {
    while (from < bytes.size()) {
      DWORD now = 0;
      const DWORD wanted =
          static_cast<DWORD>(bytes.size() - from < (1U << 30) ? bytes.size() - from : (1U << 30));
      if (!ReadFile(file.handle, bytes.data() + from, wanted, &now, nullptr)) fail(GetLastError());
      if (now == 0) break;
      from += now;
    }
    bytes.resize(from);
  };
  fill(0);
  const std::size_t got = bytes.size();
  check_head(bytes.data(), got, static_cast<unsigned long long>(size.QuadPart));
  bytes.resize(static_cast<std::size_t>(size.QuadPart));
  fill(got);
  return bytes;
}

// Not shared while it is open; one that another process has just opened is waited for.
std::string take_lock(const std::string& path, const std::string& mine, const std::string& replaces) {
  const std::wstring target = wide(path);
  HANDLE opened = INVALID_HANDLE_VALUE;
  for (int attempt = 0; attempt < 500 && opened == INVALID_HANDLE_VALUE; ++attempt) {
    if (attempt > 0) Sleep(10);
    opened = CreateFileW(target.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS,
                         FILE_ATTRIBUTE_NORMAL, nullptr);
    if (opened == INVALID_HANDLE_VALUE && GetLastError() != ERROR_SHARING_VIOLATION) break;
  }
  Handle file(opened);
  if (file.handle == INVALID_HANDLE_VALUE) fail(GetLastError());
  char held[1024];
  DWORD size = 0;
  if (!ReadFile(file.handle, held, sizeof held, &size, nullptr)) fail(GetLastError());
  const std::string now(held, size);
  if (!now.empty() && now != replaces) return now;
  if (SetFilePointer(file.handle, 0, nullptr, FILE_BEGIN) != 0 || !SetEndOfFile(file.handle) ||
      !WriteFile(file.handle, mine.data(), static_cast<DWORD>(mine.size()), &size, nullptr) ||
      !FlushFileBuffers(file.handle))
    fail(GetLastError());
  return mine;
}

bool process_lives(double pid) {
  const Handle process(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(pid)));
  if (process.handle == nullptr) return GetLastError() == ERROR_ACCESS_DENIED;
  DWORD code = 0;
  return GetExitCodeProcess(process.handle, &code) && code == STILL_ACTIVE;
}

}  // namespace gpstream
