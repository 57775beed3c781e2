import { type ReactNode, useState } from 'react'
import { type Affected, AffectedLunches } from './affected-lunches'
import { EditDialog } from './edit-dialog'
import { MergeDialog } from './merge-dialog'
import { MoreDialog } from './more-dialog'
import { MoveDialog } from './move-dialog'
import type { AskedAct, OtherDialogs } from './roll-act'

type RollDialogsProps = {
  asked: AskedAct | null
  onAsk: (asked: AskedAct | null) => void
  others: OtherDialogs
}

/** The dialog of what was asked for; it stays where the list under it changes and no longer has the child. */
export const RollDialogs = ({ asked, onAsk, others }: RollDialogsProps) => {
  const [affected, setAffected] = useState<Affected | null>(null)
  const close = () => onAsk(null)
  return (
    <>
      {asked ? dialogOf(asked, { onAsk, others, onAffected: setAffected, onClose: close }) : null}
      {affected ? <AffectedLunches affected={affected} onClose={() => setAffected(null)} /> : null}
    </>
  )
}

type Ways = Pick<RollDialogsProps, 'onAsk' | 'others'> & {
  onAffected: (affected: Affected) => void
  onClose: () => void
}

const dialogOf = ({ act, child }: AskedAct, { onAsk, others, onAffected, onClose }: Ways): ReactNode => {
  switch (act) {
    case 'edit':
      return <EditDialog child={child} onAffected={onAffected} onClose={onClose} />
    case 'more':
      return <MoreDialog child={child} onAct={(next) => onAsk({ act: next, child })} onClose={onClose} />
    case 'move':
      return <MoveDialog child={child} onClose={onClose} />
    case 'merge':
      return <MergeDialog child={child} onClose={onClose} />
    case 'guardians':
    case 'letter':
      return others[act](child, onClose)
  }
}
