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
        <h2 id="sent">Sent events</h2>
        <p class="dim">The last 200 events with all recorded details.</p>
        <SentList entries={state.log} empty="No events." />
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
        <dt>Organization</dt>
        <dd>{organization}</dd>
        <dt>Server</dt>
        <dd>{server}</dd>
        <dt>Queued</dt>
        <dd>{waiting === 1 ? '1 event' : `${waiting} events`}</dd>
      </dl>
      <Button onClick={() => void act({ ask: 'sign-out' })}>Sign out</Button>
    </>
  );
}

const Privacy = () => (
  <section class="panel" aria-labelledby="privacy">
    <h2 id="privacy">Recorded data</h2>
    <ul class="prose">
      <li>
        <b>Visits</b> to the sites below: the host, such as github.com, and whether the page is a pull request, issue,
        file or search. Never the URL, title or text of a page.
      </li>
      <li>
        <b>Copying and pasting</b> on these sites: length and kind of the text (code, link, number), and a fingerprint
        that only this browser can create. Never the text.
      </li>
      <li>
        <b>Activity</b>: every few minutes while you use this computer.
      </li>
      <li>
        Other sites, private windows, files and browser pages are never recorded. Your browser gives Sightline no access
        to them.
      </li>
    </ul>
  </section>
);
