// Options are searched for as they are written. The search would take `--match` for a
// word that pages must not have.
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  const isQuery = typeof message?.data === "string";
  const data = isQuery ? message.data.replace(/(^|\s)-+(?=\w)/g, "$1") : message?.data;
  return post.call(this, isQuery ? { ...message, data } : message, ...rest);
};
