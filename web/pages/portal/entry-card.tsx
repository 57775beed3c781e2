import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, Suspense, useRef, useState } from 'react'
import { LoginForm } from '../../features/session/sign-in/login-form'
import { lazyComponent } from '../../lib/lazy'
import { portalQuery } from '../../queries/session'
import { Card } from '../../ui/card'
import { SkeletonLines } from '../../ui/query-result'

const SignUpForm = lazyComponent(() =>
  import('../../features/session/sign-in/sign-up-form').then((m) => m.SignUpForm),
)
const PrivacyNotice = lazyComponent(() =>
  import('../../features/privacy/privacy-notice').then((m) => m.PrivacyNotice),
)
const ForgotDialog = lazyComponent(() =>
  import('../../features/session/sign-in/forgot-dialog').then((m) => m.ForgotDialog),
)

export type EntryMode = 'login' | 'register'
type EntryCardProps = Omit<ComponentProps<typeof SignUpForm>, 'notice'> & {
  mode: EntryMode
  onMode: (mode: EntryMode) => void
  loginTitle: string
  logo?: ReactNode
}

export const EntryCard = ({ mode, onMode, loginTitle, logo, ...signUp }: EntryCardProps) => {
  const [forgot, setForgot] = useState(false)
  const [asked, setAsked] = useState(false)
  const school = useQuery(portalQuery).data?.schoolName ?? 'the Tuckshop'
  const registering = mode === 'register'
  const heading = useRef<HTMLHeadingElement>(null)
  const change = () => {
    onMode(registering ? 'login' : 'register')
    // The other form begins above the pressed link.
    heading.current?.focus()
  }
  const askReset = () => {
    setAsked(true)
    setForgot(true)
  }
  return (
    <Card className="w-full max-w-form p-5 sm:p-8">
      <div className="mb-5 flex items-center gap-3">
        {logo}
        <h2 ref={heading} tabIndex={-1} className="font-display text-2xl font-semibold outline-none">
          {registering ? 'Create Account' : loginTitle}
        </h2>
      </div>
      {registering ? (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <SignUpForm
            {...signUp}
            notice={
              <Suspense fallback={<SkeletonLines lines={4} />}>
                <PrivacyNotice />
              </Suspense>
            }
          />
        </Suspense>
      ) : (
        <LoginForm onForgot={askReset} invite={signUp.invite} />
      )}
      <p className="mt-5 border-t border-line pt-4 text-center text-sm">
        <button type="button" onClick={change} className="min-h-11 text-balance text-muted">
          {registering ? 'Already have an account?' : `New to ${school}?`}{' '}
          <span className="block font-semibold text-brand-700 underline">
            {registering ? 'Login' : 'Create an account'}
          </span>
        </button>
      </p>
      {asked ? (
        <Suspense>
          <ForgotDialog open={forgot} onClose={() => setForgot(false)} />
        </Suspense>
      ) : null}
    </Card>
  )
}
