import { hourMs } from '@sightline/telemetry/pause.ts';
import { useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import type { ExtensionState } from '../messages.ts';
import { Button, Head, SentList } from './Parts.tsx';
import { pauseSentence } from './sentences.ts';
import { signInAt } from './sign-in.ts';
import { ThisSite } from './ThisSite.tsx';
import { type Extension, useExtension } from './use-extension.ts';

const openOptions = () => void browser.runtime.openOptionsPage().then(() => window.close());

export function Popup() {
  const extension = useExtension();
  if (!extension) return <main class="popup" aria-busy="true" />;
  const { state, act } = extension;
  return (
    <main class="popup">
      <Head state={state} />
      {state.signIn === 'signed-in' ? <SignedIn state={state} act={act} /> : <SignedOut state={state} act={act} />}
    </main>
  );
}

const invitations: Record<Exclude<ExtensionState['signIn'], 'signed-in'>, string> = {
  'signed-out': 'Sign in to report your use of developer sites to your organization. Nothing is recorded until then.',
  pending: 'Continue in the tab that opened. If you closed it, sign in again.',
  ended: 'Your sign-in expired. Recorded events are queued until you sign in again.',
};

function SignedOut({ state, act }: Extension) {
  const [problem, setProblem] = useState(state.problem);
  const { signIn, server } = state;
  if (signIn === 'signed-in') return null;
  const startSignIn = async () => {
    if (server === null) return openOptions();
    const signInProblem = await signInAt(server, act);
    if (signInProblem === '') window.close();
    setProblem(signInProblem);
  };
  return (
    <>
      <section>
        <p>{invitations[signIn]}</p>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <Waiting state={state} act={act} />
      </section>
      {signIn === 'ended' && <Pausing state={state} act={act} />}
      <footer>
        <Button main onClick={() => void startSignIn()}>
          Sign in
        </Button>
        {signIn === 'ended' && <Button onClick={() => void act({ ask: 'sign-out' })}>Sign out</Button>}
        <Button onClick={openOptions}>Options</Button>
      </footer>
    </>
  );
}

function SignedIn({ state, act }: Extension) {
  const explore = () => void browser.tabs.create({ url: `${state.server}/explore` }).then(() => window.close());
  return (
    <>
      <section>
        <p class="strong">{state.organization}</p>
        <p class="dim">{state.account?.name}</p>
        <Waiting state={state} act={act} />
      </section>
      <ThisSite sites={state.sites} act={act} />
      <Pausing state={state} act={act} />
      <section>
        <h2>Sent events</h2>
        <SentList
          entries={state.log.slice(0, 4)}
          empty="No events. Recording starts with the next developer site you open."
        />
      </section>
      <footer>
        <Button main onClick={explore}>
          Open Explore
        </Button>
        <Button onClick={openOptions}>Options</Button>
      </footer>
    </>
  );
}

function Waiting({ state, act }: Extension) {
  const { waiting, problem, signIn } = state;
  if (waiting === 0) return null;
  return (
    <div class="waiting">
      <p class="dim">
        {waiting === 1 ? '1 event waits' : `${waiting} events wait`} to be sent
        {problem === '' || signIn !== 'signed-in' ? '.' : `: ${problem}`}
      </p>
      {signIn === 'signed-in' && <Button onClick={() => void act({ ask: 'send-now' })}>Send now</Button>}
    </div>
  );
}

function Pausing({ state, act }: Extension) {
  return (
    <section>
      <h2>Recording</h2>
      {state.pause ? (
        <>
          <p>{pauseSentence(state.pause)}</p>
          <Button onClick={() => void act({ ask: 'resume' })}>Resume</Button>
        </>
      ) : (
        <div class="row">
          <Button onClick={() => void act({ ask: 'pause', forMs: hourMs })}>Pause for 1 hour</Button>
          <Button onClick={() => void act({ ask: 'pause', forMs: null })}>Until I resume</Button>
        </div>
      )}
    </section>
  );
}
