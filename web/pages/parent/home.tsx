import type { User } from '#contracts/identity'

export const ParentHome = ({ user }: { user: User }) => <main>{user.username}</main>
