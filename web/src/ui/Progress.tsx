import s from './Progress.module.css';

interface ProgressProps {
  /** The running task: 'Importing repositories'. */
  label: string;
  done: number;
  total: number;
  /** Text on the right instead of 'done/total'. */
  words?: string;
  /** One block per step instead of one bar: for setups with few steps. */
  steps?: boolean;
}

/** A bar with its counts as text: never the bar alone. */
export const Progress = ({ label, done, total, words = `${done}/${total}`, steps = false }: ProgressProps) => (
  <div className={s.progress}>
    <div
      className={s.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={words}
    >
      {steps ? (
        Array.from({ length: total }, (_, step) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its index
          <span key={step} className={s.step} data-done={step < done || undefined} />
        ))
      ) : (
        <span className={s.step}>
          <span className={s.fill} style={{ width: total === 0 ? 0 : `${Math.min(100, (done / total) * 100)}%` }} />
        </span>
      )}
    </div>
    <span className={s.words} aria-hidden>
      {words}
    </span>
  </div>
);
