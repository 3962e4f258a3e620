import { Button, Head, SentList } from './Parts.tsx';
import { ServerForm } from './ServerForm.tsx';
import { Sites } from './Sites.tsx';
import { type Extension, useExtension } from './use-extension.ts';

export function Options() {
  const extension = useExtension();
  if (!extension) return <main class="options" aria-busy="true" />;
  const { state, act } = extension;
  return (
    <main class="options">
      <Head state={state} />
      <section class="panel" aria-labelledby="connection">
        <h2 id="connection">Connection</h2>
        {state.signIn === 'signed-in' ? <Account state={state} act={act} /> : <ServerForm state={state} act={act} />}
      </section>
      <Privacy />
      <Sites state={state} act={act} />
      <section class="panel" aria-labelledby="sent">
        <h2 id="sent">What was sent</h2>
        <p class="dim">The last 200 events, with everything that was recorded of them.</p>
        <SentList entries={state.log} empty="Nothing yet." />
      </section>
      <p class="dim">Version {state.version}</p>
    </main>
  );
}

function Account({ state, act }: Extension) {
  const { account, organization, server, waiting } = state;
  return (
    <>
      <dl>
        <dt>Signed in as</dt>
        <dd>
          {account?.name} <span class="dim">{account?.email}</span>
        </dd>
        <dt>Organisation</dt>
        <dd>{organization}</dd>
        <dt>Server</dt>
        <dd>{server}</dd>
        <dt>Waiting to be sent</dt>
        <dd>{waiting === 1 ? '1 event' : `${waiting} events`}</dd>
      </dl>
      <Button onClick={() => void act({ ask: 'sign-out' })}>Sign out</Button>
    </>
  );
}

const Privacy = () => (
  <section class="panel" aria-labelledby="privacy">
    <h2 id="privacy">What is recorded</h2>
    <ul class="prose">
      <li>
        <b>Visits</b> to the sites below: the host, such as github.com, and whether it was a pull request, an issue, a
        file or a search. Never the page's address, title or text.
      </li>
      <li>
        <b>Copying and pasting</b> on these sites: how long the text was, what it looked like (code, link, number), and
        a fingerprint that only this browser can make. Never the text.
      </li>
      <li>
        <b>That you are there</b>: every few minutes, while you use this computer.
      </li>
      <li>
        Other sites, private windows, files and the browser's own pages are never looked at: your browser does not show
        them to Sightline.
      </li>
    </ul>
  </section>
);
