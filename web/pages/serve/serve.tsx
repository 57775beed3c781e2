import { Link } from 'react-router-dom'
import { HatchScreen } from '../../features/hatch/hatch-screen'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { PageTitle } from '../../ui/page-title'
import { useLeaving } from '../use-leaving'

/** The user, or as much as the device knows of one where nobody can be asked: then `name` is the username. */
type ServePageProps = { user: { id: number; name: string; username?: string } }

/** The hatch, a screen of its own. */
export const ServePage = ({ user: { id, name, username } }: ServePageProps) => {
  const leaving = useLeaving(id)
  return (
    <main className="pb-floats mx-auto flex w-full max-w-page flex-col gap-4 px-4 py-4 sm:px-6">
      <PageTitle of="Tuckshop">Hatch</PageTitle>
      <HatchScreen
        user={{ id, name: username ?? name }}
        actions={
          <div className="flex flex-wrap gap-2">
            <Link to={paths.section('kitchen')} className="btn btn-ghost btn-md min-h-12">
              <Icon name="chevron-left" size="sm" />
              Kitchen View
            </Link>
            <Button
              variant="ghost"
              icon="logout"
              className="min-h-12"
              busy={leaving.isLeaving}
              onClick={() => void leaving.leave()}
            >
              Logout
            </Button>
          </div>
        }
      />
      {leaving.question}
    </main>
  )
}
