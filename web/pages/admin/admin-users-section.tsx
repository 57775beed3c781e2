import { sections, sectionsOf } from '../../features/admin-shell/sections'
import { AdminUsers } from '../../features/admin-users/admin-users'
import { useUser } from '../../features/session/current-user'

/** Admin Users; each feature goes by the name of its section. */
export const AdminUsersSection = () => {
  const user = useUser()
  return <AdminUsers userId={user.id} held={sectionsOf(user)} features={sections} />
}
