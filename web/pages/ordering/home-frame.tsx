import { Suspense, useState, type ReactNode } from 'react'
import type { User } from '#contracts/identity'
import { MakerFooter } from '../../features/session/brand'
import { lazyPart } from '../../lib/lazy'
import { HomeHeader } from './home-header'

const ContactDialog = lazyPart(() =>
  import('../../features/support/contact-dialog').then((m) => m.ContactDialog),
)
const ProfileDialog = lazyPart(() =>
  import('../../features/session/profile/profile-dialog').then((m) => m.ProfileDialog),
)
const TermsDialog = lazyPart(() => import('../../features/support/terms-dialog').then((m) => m.TermsDialog))

type DialogName = 'contact' | 'profile' | 'terms'
type HomeFrameProps = { user: User; children: (open: { profile: () => void }) => ReactNode }

/** Head, foot and dialogs around a home. A dialog's code comes when it is first opened. */
export const HomeFrame = ({ user, children }: HomeFrameProps) => {
  const [shown, setShown] = useState<DialogName | null>(null)
  const close = () => setShown(null)
  return (
    <>
      {/* The foot starts below the first screen: whatever comes into the page, nobody sees it move. */}
      <div className="flex min-h-dvh flex-col">
        <HomeHeader user={user} onContact={() => setShown('contact')} onProfile={() => setShown('profile')} />
        <main className="mx-auto flex w-full max-w-page flex-1 flex-col gap-4 px-4 py-2 md:py-4">
          {children({ profile: () => setShown('profile') })}
        </main>
      </div>
      <div className="flex flex-col items-center border-t border-line pt-4 pb-floats">
        <button
          type="button"
          onClick={() => setShown('terms')}
          className="min-h-9 text-sm font-semibold text-brand-700 underline"
        >
          Terms &amp; Conditions
        </button>
        <MakerFooter words="Powered by" />
      </div>
      <Suspense>
        {shown === 'contact' ? <ContactDialog open onClose={close} asker={user} /> : null}
        {shown === 'profile' ? <ProfileDialog open onClose={close} user={user} /> : null}
        {shown === 'terms' ? <TermsDialog open onClose={close} /> : null}
      </Suspense>
    </>
  )
}
