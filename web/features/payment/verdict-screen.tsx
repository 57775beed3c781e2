import { useRef } from 'react'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { PageTitle } from '../../ui/page-title'
import { ReturnScreen } from './return-screen'
import { useTimedLeave } from './use-timed-leave'
import { faceOf, type Shown } from './verdict-face'

type VerdictScreenProps = {
  shown: Shown
  /** What the tuckshop finds this payment by; shown where it may have to be asked for. */
  reference: string | null
}

/** What became of the payment, and the way home. Whoever reads slowly can stop the page from going there by itself. */
export const VerdictScreen = ({ shown, reference }: VerdictScreenProps) => {
  const { outcome, title, text, more, quoted, also, homeAfterMs } = faceOf(shown)
  const { leaving, stay, go } = useTimedLeave(paths.home, homeAfterMs)
  const home = useRef<HTMLButtonElement>(null)
  const stayHere = () => {
    stay()
    home.current?.focus()
  }
  const actions = (
    <>
      <Button ref={home} onClick={() => go(paths.home)}>
        Return to Home
      </Button>
      {also ? (
        <Button variant="secondary" icon={also.icon} onClick={() => go(also.to)}>
          {also.label}
        </Button>
      ) : null}
      {leaving ? (
        <Button variant="ghost" className="-my-2" onClick={stayHere}>
          Stay on this page
        </Button>
      ) : null}
    </>
  )
  return (
    <ReturnScreen outcome={outcome} title={title} actions={shown.kind === 'checking' ? null : actions}>
      <PageTitle>{title}</PageTitle>
      <p className="text-balance text-muted">{text}</p>
      {quoted && reference ? (
        <p className="text-sm">
          Reference <strong className="money">{reference}</strong>
        </p>
      ) : null}
      {more ? <div className="text-left">{more}</div> : null}
      {leaving && homeAfterMs !== null ? (
        <p className="text-sm text-muted">You return home in {homeAfterMs / 1000} seconds.</p>
      ) : null}
    </ReturnScreen>
  )
}
