// The end of the connection: Stop was pressed, or R went away. Without this the page would only turn grey.
$(document).on('shiny:disconnected', function () { document.body.classList.add('gone'); });

// The end of a stream that cannot go on: a button without a word, and what has no use then, go away.
$(document).on('shiny:value', function (event) {
  if (event.name === 'action') $('.bar').toggleClass('final', !event.value);
});

// A browser may keep a page that was left, and its connection, for a way back; R would wait for it.
window.addEventListener('pagehide', function () {
  try { Shiny.shinyapp.$socket.close(); } catch (e) { /* closed already */ }
});

// Shiny asks for the size of a picture when the window changes, but a message or a box that appears moves things, too.
$(function () {
  var wait;
  var watcher = new ResizeObserver(function () {
    clearTimeout(wait);
    wait = setTimeout(function () { $(window).trigger('resize'); }, 100);
  });
  document.querySelectorAll('.shiny-plot-output').forEach(function (picture) { watcher.observe(picture); });
});
