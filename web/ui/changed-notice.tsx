import type { ChangedMeanwhile } from '#contracts/endpoint'
import { changedLines, whoChanged } from '../lib/changed-meanwhile'
import { Button } from './button'
import { Notice } from './notice'

type ChangedNoticeProps = {
  changed: ChangedMeanwhile
  /** Saves what was typed in place of what is there now. */
  onSaveAnyway: () => void
}

/** The form keeps what was typed. */
export const ChangedNotice = ({ changed, onSaveAnyway }: ChangedNoticeProps) => (
  <Notice tone="danger" title={whoChanged(changed)}>
    <ul className="list-disc pl-4 break-words">
      {changedLines(changed).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
    <p>What you typed is still here. To keep theirs, leave without saving.</p>
    <Button variant="secondary" size="sm" onClick={onSaveAnyway}>
      Save Mine Instead
    </Button>
  </Notice>
)
