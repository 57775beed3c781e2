import { useParams } from 'react-router-dom'
import { familyFeatures } from '#contracts/find'
import type { User } from '#contracts/identity'
import { NoSection } from '../../features/admin-shell/no-section'
import { FamilyScreen } from '../../features/families/family-screen'
import { HealthButton } from '../../features/health/child-health'
import { useUser } from '../../features/session/current-user'
import { AdminFrame } from './admin-frame'

const healthOf = (student: { id: number; name: string }) => <HealthButton student={student} />
const keepsHealth = ({ allowedFeatures }: User) => allowedFeatures.includes('parents_students')

/** The page of one family, at its own address. */
export const FamilyPage = () => {
  const user = useUser()
  const id = Number(useParams().id)
  const mayOpen = familyFeatures.some((feature) => user.allowedFeatures.includes(feature))
  return (
    <AdminFrame title="Family" section={null}>
      {mayOpen ? (
        <FamilyScreen key={id} id={id} user={user} health={keepsHealth(user) ? healthOf : undefined} />
      ) : (
        <NoSection title="Families are not open to you">
          Your account has none of the sections that show families. Another administrator can give you one.
        </NoSection>
      )}
    </AdminFrame>
  )
}
