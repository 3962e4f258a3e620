/**
 * Triggers host activity that git does not contain on the sandbox's code host: `merge`, `review`, `push`, `protect` and
 * others.
 */
export const triggerHostActivity =
  (productUrl: string) =>
  async (what: string, body: object): Promise<void> => {
    const sandbox = new URL(productUrl);
    sandbox.port = String(Number(sandbox.port) + 1);
    const answer = await fetch(new URL(`/_sandbox/${what}`, sandbox), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${what}: ${await answer.text()}`);
  };
