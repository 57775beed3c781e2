import type { User } from '#contracts/identity'
import { paths } from '../lib/paths'
import * as pages from './pages'

const byRole = {
  parent: async (tab: string | null) => (await import('../pages/parent/home')).panels[tab ?? ''],
  teacher: async (tab: string | null) => (await import('../pages/teacher/home')).panels[tab ?? ''],
}

/**
 * Fetches what the page of this address is made of, as far as it is a home, the hatch or the way in: so that it is drawn
 * whole and at once. A home's page names the same files, so they are on their way already.
 */
export const fetchFirstPage = async (
  user: User | null | undefined,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): Promise<void> => {
  if (pathname === paths.serve) return void (await pages.HatchDoor.preload())
  if (user === undefined || pathname !== paths.home) return
  if (user === null) return void (await pages.PortalEntry.preload())
  if (user.mustChangePassword || user.mustSetUpSecondFactor) return
  const asked = new URLSearchParams(search)
  if (user.role === 'admin') {
    const [, { firstScreen }] = await Promise.all([pages.Console.preload(), import('../pages/admin/console')])
    await firstScreen(user, asked.get('section'))?.preload()
    return
  }
  const home = user.role === 'parent' ? pages.ParentHome : pages.TeacherHome
  const [panel] = await Promise.all([byRole[user.role](asked.get('tab')), home.preload()])
  await panel?.preload()
}
