import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'
import { StopReminders } from '../features/messages/stop-reminders'
import { portalQuery } from '../features/session/current-user'
import { PageTitle } from '../ui/page-title'

/** Where the link of a reminder leads; nobody signs in for it. */
export const StopRemindersPage = () => {
  const { token = '' } = useParams()
  const school = useQuery(portalQuery).data?.schoolName ?? 'The school'
  return (
    <main className="mx-auto flex w-full max-w-2xl flex-col gap-3 p-3 sm:p-6">
      <PageTitle>Reminders</PageTitle>
      <StopReminders key={token} token={token} school={school} />
    </main>
  )
}
