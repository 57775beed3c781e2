import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { PageTitle } from '../../ui/page-title'
import { ReturnScreen } from './return-screen'
import { useTimedLeave } from './use-timed-leave'
import { faceOf } from './verdict-face'
import type { Shown } from './verdict-face'

/** What became of the payment, and the way home. Whoever reads slowly can stop the page from going there by itself. */
export const VerdictScreen = ({ shown }: { shown: Shown }) => {
  const { look, title, text, more, homeAfterMs } = faceOf(shown)
  const { leaving, stay, leave } = useTimedLeave(paths.home, homeAfterMs)
  const actions = (
    <>
      <Button onClick={leave}>Return to Home</Button>
      {leaving && homeAfterMs !== null ? (
        <>
          <Button variant="ghost" onClick={stay}>
            Stay on this page
          </Button>
          <p className="text-sm text-muted">You return home in {homeAfterMs / 1000} seconds.</p>
        </>
      ) : null}
    </>
  )
  return (
    <ReturnScreen look={look} title={title} actions={shown.kind === 'checking' ? null : actions}>
      <PageTitle>{title}</PageTitle>
      <p className="text-balance text-muted">{text}</p>
      {more ? <div className="text-left">{more}</div> : null}
    </ReturnScreen>
  )
}
