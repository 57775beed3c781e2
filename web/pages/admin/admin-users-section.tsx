import { sections, sectionsOf } from '../../features/admin-shell/console-shell'
import { AdminUsers } from '../../features/admin-users/admin-users'
import { useUser } from '../../queries/session'

export const AdminUsersSection = () => {
  const user = useUser()
  return <AdminUsers userId={user.id} held={sectionsOf(user)} features={sections} />
}
