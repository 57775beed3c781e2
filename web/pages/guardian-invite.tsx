import { useParams } from 'react-router-dom'
import { Invitation } from '../features/guardians/invitation'
import { PageTitle } from '../ui/page-title'

/** Where the link of an invitation leads; whoever is not signed in signs in here first. */
export const GuardianInvitePage = () => {
  const { token = '' } = useParams()
  return (
    <main className="mx-auto flex w-full max-w-2xl flex-col gap-3 p-3 sm:p-6">
      <PageTitle>Invitation to be a guardian</PageTitle>
      <Invitation key={token} token={token} />
    </main>
  )
}
