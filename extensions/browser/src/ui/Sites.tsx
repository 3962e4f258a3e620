import { patternsOf, siteEntry } from '@sightline/telemetry/sites.ts';
import { useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import type { SiteRow } from '../messages.ts';
import { Button } from './Parts.tsx';
import type { Extension } from './use-extension.ts';

export function Sites({ state, act }: Extension) {
  const missing = state.sites.filter((site) => !site.permitted);
  const groups = Object.groupBy(state.sites, (site) => site.group);
  return (
    <section class="panel" aria-labelledby="sites">
      <div class="row between">
        <h2 id="sites">Sites</h2>
        {!state.sitesAreDefault && <Button onClick={() => void act({ ask: 'reset-sites' })}>Reset to defaults</Button>}
      </div>
      <p class="dim">Only these sites and their subdomains are reported.</p>
      <AddSite act={act} />
      {missing.length > 0 && (
        <div class="notice row between">
          <p>
            {missing.length === 1 ? '1 site waits' : `${missing.length} sites wait`} for your browser's permission and{' '}
            {missing.length === 1 ? 'is' : 'are'} not reported.
          </p>
          <Button onClick={() => void request(missing.map((site) => site.host))}>Allow</Button>
        </div>
      )}
      {state.sites.length === 0 && <p>No sites are reported.</p>}
      {Object.entries(groups).map(([name, sites = []]) => (
        <div key={name}>
          <h3>{name}</h3>
          <ul class="sites">
            {sites.map((site) => (
              <SiteItem key={site.host} site={site} act={act} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function SiteItem({ site, act }: { site: SiteRow; act: Extension['act'] }) {
  return (
    <li>
      <span>{site.name}</span>
      <span class="dim host">{site.name === site.host ? '' : site.host}</span>
      {!site.permitted && <span class="dim">Not allowed</span>}
      <Button label={`Remove ${site.host}`} onClick={() => void act({ ask: 'remove-site', host: site.host })}>
        Remove
      </Button>
    </li>
  );
}

function AddSite({ act }: { act: Extension['act'] }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    const host = siteEntry(typed)?.replace(/^www\./, '');
    if (host === undefined) {
      setProblem('Enter a site such as gitlab.example.com');
      return;
    }
    const granted = await request([host]);
    await act({ ask: 'add-site', host });
    setTyped('');
    setProblem(granted ? '' : `${host} was added, but is not reported until your browser allows it.`);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <label for="site">Add a site</label>
      <div class="row">
        <input
          id="site"
          type="text"
          inputMode="url"
          autoComplete="off"
          spellcheck={false}
          placeholder="gitlab.example.com"
          value={typed}
          aria-invalid={problem !== ''}
          aria-describedby={problem === '' ? undefined : 'site-problem'}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Button submit>Add</Button>
      </div>
      {problem !== '' && (
        <p class="problem" id="site-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

/** Must be called directly from a click, since browsers reject permission requests otherwise. */
const request = (hosts: string[]): Promise<boolean> =>
  browser.permissions.request({ origins: hosts.flatMap(patternsOf) }).catch(() => false);
