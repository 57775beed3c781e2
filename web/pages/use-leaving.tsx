import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { isHatchDevice } from '../features/hatch/device/this-device'
import { useSignOut } from '../features/session/api'
import { lazyComponent } from '../lib/lazy'
import { adminToast } from '../lib/toast'

const loadQuestion = () => import('../features/hatch/sign-out-question').then((m) => m.SignOutQuestion)
const SignOutQuestion = lazyComponent(loadQuestion)

/** None where the hatch was never open or its code is missing. */
const countWaiting = async (userId: number): Promise<number> => {
  if (!isHatchDevice()) return 0
  try {
    const { readQueue } = await import('../features/hatch/device/device-store')
    return (await readQueue()).waiting.filter(({ user }) => user.id === userId).length
  } catch {
    return 0
  }
}

/** Asks first while marks wait. */
export const useLeaving = (
  userId: number,
  notify = adminToast,
): { leave: () => Promise<void>; isLeaving: boolean; question: ReactNode } => {
  const signingOut = useSignOut(notify)
  const [waiting, setWaiting] = useState(0)
  // Preloaded: it is asked offline too.
  useEffect(() => {
    if (isHatchDevice()) void loadQuestion().catch(() => null)
  }, [])
  const leave = async () => {
    const count = await countWaiting(userId)
    setWaiting(count)
    if (count === 0) signingOut.mutate()
  }
  return {
    leave,
    isLeaving: signingOut.isPending,
    question:
      waiting === 0 ? null : (
        <Suspense>
          <SignOutQuestion
            waiting={waiting}
            onStay={() => setWaiting(0)}
            onLeave={() => {
              setWaiting(0)
              signingOut.mutate()
            }}
          />
        </Suspense>
      ),
  }
}
