import { NewLetter } from '../../features/claim-letters/new-letter'
import { GuardiansDialog } from '../../features/guardians/guardians-dialog'
import type { OtherDialogs } from '../../features/roll/roll-act'
import { RollList } from '../../features/roll/roll-list'

const others: OtherDialogs = {
  guardians: (child, onClose) => <GuardiansDialog student={child} byOffice onClose={onClose} />,
  letter: (child, onClose) => <NewLetter studentId={child.id} onClose={onClose} />,
}

/** With dialogs of other features. */
export const RollTab = () => <RollList others={others} />
