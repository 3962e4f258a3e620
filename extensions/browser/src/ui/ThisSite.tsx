import { patternsOf, siteEntry } from '@sightline/telemetry/sites.ts';
import { useEffect, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import type { SiteRow } from '../messages.ts';
import { Switch } from './Parts.tsx';
import type { Extension } from './use-extension.ts';

/** The active site, with a switch for reporting. */
export function ThisSite({ sites, act }: { sites: SiteRow[]; act: Extension['act'] }) {
  const host = useHostInFront();
  if (host === undefined) return null;
  const covering = sites.find((site) => host === site.host || host.endsWith(`.${site.host}`));
  const on = covering?.permitted === true;
  const change = (turnOn: boolean) => {
    const site = covering?.host ?? host;
    // Called first and not awaited: a click permits one request only, and some browsers close the popup.
    if (turnOn) void browser.permissions.request({ origins: patternsOf(site) });
    void act(turnOn ? { ask: 'add-site', host: site } : { ask: 'remove-site', host: site });
  };
  return (
    <section>
      <h2>This site</h2>
      {host === '' ? (
        <p class="dim">Pages of this kind are never reported.</p>
      ) : (
        <div class="row between">
          <div>
            <p class="host">{covering?.host ?? host}</p>
            <p class="dim">{on ? 'Visits and lengths of copied text are reported.' : 'Nothing is reported.'}</p>
          </div>
          <Switch on={on} label={`Report ${covering?.host ?? host}`} onChange={change} />
        </div>
      )}
    </section>
  );
}

/** Empty for pages that are not sites; undefined while loading. */
function useHostInFront(): string | undefined {
  const [host, setHost] = useState<string>();
  useEffect(() => {
    // Opening the popup grants access to the URL of the active tab.
    void browser.tabs.query({ active: true, currentWindow: true }).then(([tab]) => {
      const url = tab?.url ?? '';
      setHost(/^https?:/.test(url) ? (siteEntry(url)?.replace(/^www\./, '') ?? '') : '');
    });
  }, []);
  return host;
}
