// The message oidc-client-ts waits for in the window that opened this frame.
if (window.parent !== window) {
  window.parent.postMessage({ source: 'oidc-client', url: location.href, keepOpen: false }, location.origin);
}
