import type { listClosures } from '#contracts/closures'
import type { ReplyOf } from '#contracts/endpoint'
import { Dialog } from '../../../ui/dialog'
import { ClosureView } from './closure-view'
import { datesWords } from './day-words'

type ClosureDialogProps = {
  closure: ReplyOf<typeof listClosures>['data'][number]
  onClose: () => void
}

/** One closure with what came of it, and the way to undo it. */
export const ClosureDialog = ({ closure, onClose }: ClosureDialogProps) => (
  <Dialog open title={datesWords(closure.dates)} onClose={onClose}>
    <ClosureView key={closure.id} {...closure} isUndone={closure.undoneAt !== null} />
  </Dialog>
)
