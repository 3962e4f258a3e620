import { type AnchorHTMLAttributes, createContext, type MouseEvent, type ReactNode, type Ref, useContext } from 'react';

interface LinkActions {
  /** Navigates to a path of this app without reloading the document. */
  navigate: (href: string) => void;
  /** Called on hover and focus, so that the page can be preloaded. */
  preload: (href: string) => void;
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  ref?: Ref<HTMLAnchorElement>;
  children: ReactNode;
}

/** Provides client-side navigation to all Links below; without it links reload the document, as plain anchors do. */
export const LinkProvider = ({ actions, children }: { actions: LinkActions; children: ReactNode }) => (
  <LinkContext value={actions}>{children}</LinkContext>
);

/** An anchor with a real href (open in a new tab, copy address); a plain click on a path navigates within the app. */
export function Link({ href, onClick, onPointerEnter, onFocus, children, ...rest }: LinkProps) {
  const actions = useContext(LinkContext);
  const inApp = actions !== undefined && staysInApp(href, rest.target);
  return (
    <a
      {...rest}
      href={href}
      onPointerEnter={(event) => {
        onPointerEnter?.(event);
        if (inApp) actions.preload(href);
      }}
      onFocus={(event) => {
        onFocus?.(event);
        if (inApp) actions.preload(href);
      }}
      onClick={(event) => {
        onClick?.(event);
        if (!inApp || event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        actions.navigate(href);
      }}
    >
      {children}
    </a>
  );
}

/** The same navigation for an element that is not an anchor, such as a table row. */
export function useNavigate(): (href: string) => void {
  const actions = useContext(LinkContext);
  return actions?.navigate ?? ((href) => window.location.assign(href));
}

export const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

const LinkContext = createContext<LinkActions | undefined>(undefined);

const staysInApp = (href: string, target: string | undefined) =>
  href.startsWith('/') && !href.startsWith('//') && (target === undefined || target === '_self');
