import type { ReactNode } from 'react'
import { paths } from '../../lib/paths'
import { PageTitle } from '../../ui/page-title'
import { LeaveActions, ReturnScreen } from './return-screen'
import { useTimedLeave } from './use-timed-leave'
import { contentOf, type Shown } from './verdict-content'

type VerdictScreenProps = {
  shown: Shown
  /** What the tuckshop finds this payment by; shown where it may have to be asked for. */
  reference: string | null
  /** How the same cart can be paid for after a declined card. */
  again?: ReactNode
}

/** What became of the payment, and the way home. Whoever reads slowly can stop the page from going there by itself. */
export const VerdictScreen = ({ shown, reference, again }: VerdictScreenProps) => {
  const { outcome, title, text, more, quoted, also, homeAfterMs } = contentOf(shown)
  const leave = useTimedLeave(paths.home, homeAfterMs)
  return (
    <ReturnScreen
      outcome={outcome}
      title={title}
      actions={
        shown.kind === 'checking' ? null : (
          <>
            {again}
            <LeaveActions leave={leave} also={also} isSecond={again !== undefined} />
          </>
        )
      }
    >
      <PageTitle>{title}</PageTitle>
      <p className="text-balance text-muted">{text}</p>
      {quoted && reference ? (
        <p className="text-sm">
          Reference <strong className="money">{reference}</strong>
        </p>
      ) : null}
      {more ? <div className="text-left">{more}</div> : null}
      {leave.leaving && homeAfterMs !== null ? (
        <p className="text-sm text-muted">You return home in {homeAfterMs / 1000} seconds.</p>
      ) : null}
    </ReturnScreen>
  )
}
