import { useState } from 'react'
import type { User } from '#contracts/identity'
import { Dialog } from '../../../ui/dialog'
import { ForgotDialog } from './forgot-dialog'
import { LoginForm } from './login-form'

type SignInAgainProps = { user: User; onClose: () => void }

/** Over the screen of a session that ended. */
export const SignInAgain = ({ user, onClose }: SignInAgainProps) => {
  const [forgot, setForgot] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Log In Again"
      description="You were logged out. What you typed is still here, and not saved yet."
    >
      <LoginForm username={user.username} onForgot={() => setForgot(true)} />
      <ForgotDialog open={forgot} onClose={() => setForgot(false)} />
    </Dialog>
  )
}
