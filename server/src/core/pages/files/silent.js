// Posts the message that oidc-client-ts expects to the window that opened this frame.
if (window.parent !== window) {
  window.parent.postMessage({ source: 'oidc-client', url: location.href, keepOpen: false }, location.origin);
}
