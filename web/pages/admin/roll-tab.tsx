import { GuardiansDialog } from '../../features/guardians/guardians-dialog'
import type { RenderGuardians } from '../../features/roll/roll-act'
import { RollList } from '../../features/roll/roll-list'

const guardians: RenderGuardians = (child, onClose) => (
  <GuardiansDialog student={child} byOffice onClose={onClose} />
)

/** The school's roll, with the guardians of each child. */
export const RollTab = () => <RollList guardians={guardians} />
