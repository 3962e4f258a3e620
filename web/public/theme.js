// Before the first paint, so that nobody sees a flash of the other theme. A file of its own: the content security
// policy allows no inline script. The key is Mantine's own, which writes it when the choice changes.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // storage can be blocked: follow the system
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
