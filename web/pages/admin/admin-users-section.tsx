import { useQuery } from '@tanstack/react-query'
import { sections, sectionsOf } from '../../features/admin-shell/sections'
import { AdminUsers } from '../../features/admin-users/admin-users'
import { userQuery } from '../../features/session/current-user'

/** Admin Users; each feature goes by the name of its section. */
export const AdminUsersSection = () => {
  const { data: user } = useQuery(userQuery)
  return user ? <AdminUsers userId={user.id} held={sectionsOf(user)} features={sections} /> : null
}
