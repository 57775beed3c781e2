import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../lib/call'
import { toast } from '../../lib/toast'
import { signOut } from './api'

/** Ends the session; `notify` shows how that went. */
export const useSignOut = (notify = toast) =>
  useMutation({
    ...signOut,
    onSuccess: async (...done) => {
      await signOut.onSuccess?.(...done)
      notify({ title: 'Logged out successfully' })
    },
    onError: (error) => notify({ title: 'Error', text: messageOf(error, 'Failed to logout'), kind: 'error' }),
  })
