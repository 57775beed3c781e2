import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { Logo, MakerFooter } from '../../features/session/brand'
import { portalQuery } from '../../features/session/current-user'
import { LoginForm } from '../../features/session/sign-in/login-form'
import { lazyPart } from '../../lib/lazy'
import { Card } from '../../ui/card'
import { PageTitle } from '../../ui/page-title'
import { SkeletonLines } from '../../ui/skeleton'
import { Welcome } from './welcome'

const SignUpForm = lazyPart(() =>
  import('../../features/session/sign-in/sign-up-form').then((m) => m.SignUpForm),
)
const ForgotDialog = lazyPart(() =>
  import('../../features/session/sign-in/forgot-dialog').then((m) => m.ForgotDialog),
)

/** The way in for everybody: login, or a new account. */
export const PortalEntry = () => {
  const [mode, setMode] = useState<'login' | 'register'>('login')
  const [forgot, setForgot] = useState(false)
  const [asked, setAsked] = useState(false)
  const school = useQuery(portalQuery).data?.schoolName ?? 'the Tuckshop'
  const registering = mode === 'register'
  const heading = useRef<HTMLHeadingElement>(null)
  const change = () => {
    setMode(registering ? 'login' : 'register')
    // The other form begins above what was pressed.
    heading.current?.focus()
  }
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-2 lg:grid-rows-1">
      <PageTitle>{registering ? 'Create Account' : 'Login'}</PageTitle>
      <Welcome school={school} />
      <div className="flex flex-col">
        <main className="flex flex-1 items-start justify-center p-4 sm:items-center sm:p-8">
          <Card className="w-full max-w-form p-5 sm:p-8">
            <div className="mb-5 flex items-center gap-3">
              <Logo className="size-10 lg:hidden" />
              <h2 ref={heading} tabIndex={-1} className="font-display text-2xl font-semibold outline-none">
                {registering ? 'Create Account' : 'Welcome back'}
              </h2>
            </div>
            {registering ? (
              <Suspense fallback={<SkeletonLines lines={6} />}>
                <SignUpForm />
              </Suspense>
            ) : (
              <LoginForm
                onForgot={() => {
                  setAsked(true)
                  setForgot(true)
                }}
              />
            )}
            <p className="mt-5 border-t border-line pt-4 text-center text-sm">
              <button type="button" onClick={change} className="min-h-11 text-balance text-muted">
                {registering ? 'Already have an account?' : `New to ${school}?`}{' '}
                <span className="block font-semibold text-brand-700 underline">
                  {registering ? 'Login' : 'Create an account'}
                </span>
              </button>
            </p>
          </Card>
        </main>
        <MakerFooter words="Made with care by" />
      </div>
      {asked ? (
        <Suspense>
          <ForgotDialog open={forgot} onClose={() => setForgot(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
