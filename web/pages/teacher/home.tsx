import type { User } from '#contracts/identity'

export const TeacherHome = ({ user }: { user: User }) => <main>{user.username}</main>
