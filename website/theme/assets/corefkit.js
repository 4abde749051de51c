// Options are searched for as they are written. The search would take `--match` for a
// word that pages must not have.
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  const isQuery = typeof message?.data === "string";
  const data = isQuery ? message.data.replace(/(^|\s)-+(?=\w)/g, "$1") : message?.data;
  return post.call(this, isQuery ? { ...message, data } : message, ...rest);
};

// What the theme leaves out for people who use a keyboard or hear the page: the name of
// the search, and a way to scroll tables that are too wide.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
window.addEventListener("load", () => {
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
  }
});
