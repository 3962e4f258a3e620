import s from './SkipLink.module.css';

/** The first keyboard stop: skips the frame and moves to the main content. */
export const SkipLink = () => (
  <a className={s.skip} href="#main">
    Skip to content
  </a>
);
