import { useState } from 'preact/hooks';
import { serverAddress } from '../server-address.ts';
import { Button } from './Parts.tsx';
import { signInAt } from './sign-in.ts';
import type { Extension } from './use-extension.ts';

export function ServerForm({ state, act }: Extension) {
  const [typed, setTyped] = useState(state.server ?? '');
  const [problem, setProblem] = useState('');
  const signInProblem = problem || state.problem;
  const submit = async (event: Event) => {
    event.preventDefault();
    const address = serverAddress(typed);
    if ('problem' in address) setProblem(address.problem);
    else setProblem(await signInAt(address.origin, act));
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <label for="server">Server address</label>
      <p class="dim" id="server-hint">
        The URL of your Sightline server. Your browser asks for permission to access it.
      </p>
      <div class="row">
        <input
          id="server"
          type="url"
          inputMode="url"
          autoComplete="url"
          spellcheck={false}
          placeholder="https://sightline.example.com"
          value={typed}
          aria-invalid={signInProblem !== ''}
          aria-describedby={signInProblem === '' ? 'server-hint' : 'server-hint server-problem'}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Button main submit>
          Sign in
        </Button>
      </div>
      {signInProblem !== '' && (
        <p class="problem" id="server-problem" role="alert">
          {signInProblem}
        </p>
      )}
      {state.signIn === 'pending' && <p>Continue in the tab that opened.</p>}
      {state.signIn === 'ended' && (
        <p>Your sign-in expired. Recorded events are queued until {state.account?.name} signs in again.</p>
      )}
    </form>
  );
}
