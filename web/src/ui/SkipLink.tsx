import s from './SkipLink.module.css';

/** The first stop of the keyboard: past what every page has, to what only this one has. */
export const SkipLink = () => (
  <a className={s.skip} href="#main">
    Skip to content
  </a>
);
