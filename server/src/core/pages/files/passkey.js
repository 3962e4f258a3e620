// Requests a passkey from the browser before a form with WebAuthn options is sent. Runs after the library.
const { browserSupportsWebAuthn, startAuthentication, startRegistration } = SimpleWebAuthnBrowser;

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!browserSupportsWebAuthn()) break;
  form.hidden = false;
  // The separator is shown only together with the passkey form.
  for (const word of document.querySelectorAll('.or')) word.hidden = false;
  const answer = form.elements.namedItem('passkey');
  const wrong = form.querySelector('[role=alert]');
  form.addEventListener('submit', async (event) => {
    if (answer.value !== '') return;
    event.preventDefault();
    wrong.hidden = true;
    const ask = form.dataset.passkey === 'make' ? startRegistration : startAuthentication;
    try {
      answer.value = JSON.stringify(await ask({ optionsJSON: JSON.parse(form.dataset.options) }));
      form.submit();
    } catch (error) {
      wrong.hidden = false;
      wrong.textContent =
        error.name === 'InvalidStateError'
          ? 'This device already has a passkey for your account.'
          : 'The browser returned no passkey. Try again, or use another method.';
    }
  });
}
