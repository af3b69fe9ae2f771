// Included by atomic_file.cpp only.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

namespace gpstream {
namespace {

[[noreturn]] void fail(int code, const char* what = "") {
  throw Error("io", what + std::string(std::strerror(code)) + ".");
}

// Closes what it holds.
struct Descriptor {
  int fd;
  explicit Descriptor(int number) : fd(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int close() {
    const int out = fd >= 0 ? ::close(fd) : 0;
    fd = -1;
    return out;
  }
};

void write_all(int fd, const std::vector<unsigned char>& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t now = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) fail(now < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(now);
  }
}

// The file, for us alone: false when another process has it, or has just renamed or removed it.
bool is_ours(int fd, const std::string& path) {
  struct flock lock;
  std::memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(fd, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN))
    return false;  // where there are no locks, without
  struct stat held, named;
  return fstat(fd, &held) == 0 && lstat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

// `created`: was it not there before?
int open_alone(const std::string& path, bool* created = nullptr) {
  const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
  for (int attempt = 0; attempt < 500; ++attempt) {
    int fd = open(path.c_str(), flags | O_EXCL, 0666);
    if (created) *created = fd >= 0;
    if (fd < 0 && errno == EEXIST) fd = open(path.c_str(), flags, 0666);
    if (fd < 0) fail(errno);
    if (is_ours(fd, path)) return fd;
    ::close(fd);
    const struct timespec moment = {0, 10000000};
    nanosleep(&moment, nullptr);
  }
  throw Error("io", "another process has been writing to it for five seconds.");
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

void write_file(const std::string& path, const std::vector<unsigned char>& bytes) {
  struct stat old;
  const bool exists = stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) throw Error("io", "it is a directory.");
  if (exists && !S_ISREG(old.st_mode)) throw Error("io", "it is not an ordinary file.");
  if (exists && access(path.c_str(), W_OK) != 0) fail(errno, "it must not be changed: ");
  const std::string temporary = path + ".tmp";
  Descriptor file(open_alone(temporary));
  try {
    if (ftruncate(file.fd, 0) != 0) fail(errno);
    if (exists && fchmod(file.fd, old.st_mode & 07777) != 0) fail(errno);
    write_all(file.fd, bytes);
    if (fsync(file.fd) != 0) fail(errno);
    if (rename(temporary.c_str(), path.c_str()) != 0) fail(errno);
  } catch (...) {
    unlink(temporary.c_str());
    throw;
  }
  Descriptor directory(open(directory_of(path).c_str(), O_RDONLY | O_CLOEXEC));
  if (directory.fd >= 0) fsync(directory.fd);  // some file systems know no such thing
}

std::vector<unsigned char> read_file(
    const std::string& path, std::size_t head,
    const std::function<void(const unsigned char*, std::size_t, unsigned long long)>& check_head) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) fail(errno);
  if (S_ISDIR(info.st_mode)) throw Error("io", "it is a directory.");
  if (!S_ISREG(info.st_mode)) throw Error("io", "it is not an ordinary file.");
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0 || fstat(file.fd, &info) != 0) fail(errno);
  std::vector<unsigned char> bytes(head);
  const auto fill = [&](std::size_t from) {
    while (from < bytes.size()) {
      const ssize_t now = ::read(file.fd, bytes.data() + from, bytes.size() - from);
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) fail(errno);
      if (now == 0) break;
      from += static_cast<std::size_t>(now);
    }
    bytes.resize(from);
  };
  fill(0);
  const std::size_t got = bytes.size();
  check_head(bytes.data(), got, static_cast<unsigned long long>(info.st_size));
  bytes.resize(static_cast<std::size_t>(info.st_size));
  fill(got);
  return bytes;
}

// Whoever reads and writes it holds the system's lock meanwhile, which ends with the process. An empty file
// is of a process that ended while it took it, or, on file systems without such locks, of one that is at it.
std::string take_lock(const std::string& path, const std::string& mine, const std::string& replaces) {
  bool created = false;
  Descriptor file(open_alone(path, &created));
  char held[1024];
  const ssize_t size = ::read(file.fd, held, sizeof held);
  if (size < 0) fail(errno);
  const std::string now(held, static_cast<std::size_t>(size));
  struct stat info;
  const bool young = fstat(file.fd, &info) == 0 && std::time(nullptr) - info.st_mtime < 5;
  if (now.empty() ? !created && young : now != replaces) return now;
  if (ftruncate(file.fd, 0) != 0 || lseek(file.fd, 0, SEEK_SET) != 0) fail(errno);
  write_all(file.fd, std::vector<unsigned char>(mine.begin(), mine.end()));
  fsync(file.fd);
  return mine;
}

bool process_lives(double pid) { return kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM; }

}  // namespace gpstream
