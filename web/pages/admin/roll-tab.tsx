import { NewLetter } from '../../features/claim-letters/new-letter'
import { GuardiansDialog } from '../../features/guardians/guardians-dialog'
import type { OtherDialogs } from '../../features/roll/roll-act'
import { RollList } from '../../features/roll/roll-list'

const others: OtherDialogs = {
  guardians: (child, onClose) => <GuardiansDialog student={child} byOffice onClose={onClose} />,
  letter: (child, onClose) => <NewLetter studentId={child.id} onClose={onClose} />,
}

/** The school's roll, with the guardians of each child and letters for families without an account. */
export const RollTab = () => <RollList others={others} />
