import type { QueryClient } from '@tanstack/react-query'
import { logout } from '#contracts/identity'
import { call, messageOf } from '../../lib/call'
import { toast } from '../../lib/toast'
import { holdUser } from './current-user'

/** Ends the session and says how that went; without a mutation, which the first load would have to carry. */
export const leave = async (client: QueryClient): Promise<void> => {
  try {
    await call(logout, {})
    holdUser(client, null)
    toast({ title: 'Logged out successfully' })
  } catch (error) {
    toast({ title: 'Error', text: messageOf(error, 'Failed to logout'), kind: 'error' })
  }
}
