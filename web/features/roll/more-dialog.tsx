import type { RollEntry } from '#contracts/roll'
import { Dialog } from '../../ui/dialog'
import { FoundButton } from './choose-found'
import { tellingWords } from './child-words'
import type { RollAct } from './roll-act'

type MoreDialogProps = { child: RollEntry; onAct: (act: RollAct) => void; onClose: () => void }

/** What is rarely done about a child, in words. */
export const MoreDialog = ({ child, onAct, onClose }: MoreDialogProps) => (
  <Dialog
    open
    onClose={onClose}
    title={child.name}
    description={tellingWords(child).filter(Boolean).join(' · ')}
  >
    <ul className="mb-3 divide-y divide-line rounded-md border border-line">
      <FoundButton
        title="Move to another account"
        more={['Its lunches follow, payments stay with who has paid']}
        onChoose={() => onAct('move')}
      />
      <FoundButton
        title="Join with another entry"
        more={['For a child that was entered twice']}
        onChoose={() => onAct('merge')}
      />
      {child.parent ? (
        <FoundButton
          title="Guardians"
          more={['Who orders for the child']}
          onChoose={() => onAct('guardians')}
        />
      ) : null}
      {child.parent || child.leftAt ? null : (
        <FoundButton
          title="New letter"
          more={['With a new code for its family']}
          onChoose={() => onAct('letter')}
        />
      )}
    </ul>
  </Dialog>
)
