import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Logo, MakerFooter } from '../../features/session/brand'
import { portalQuery } from '../../features/session/current-user'
import { PageTitle } from '../../ui/page-title'
import { EntryCard, type EntryMode } from './entry-card'
import { Welcome } from './welcome'

/** The way in for everybody: login, or a new account. */
export const PortalEntry = () => {
  const [mode, setMode] = useState<EntryMode>('login')
  const school = useQuery(portalQuery).data?.schoolName ?? 'the Tuckshop'
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-2 lg:grid-rows-1">
      <PageTitle>{mode === 'register' ? 'Create Account' : 'Login'}</PageTitle>
      <Welcome school={school} />
      <div className="flex flex-col">
        <main className="flex flex-1 items-start justify-center p-4 sm:items-center sm:p-8">
          <EntryCard
            mode={mode}
            onMode={setMode}
            loginTitle="Welcome back"
            logo={<Logo className="size-10 lg:hidden" />}
          />
        </main>
        <MakerFooter words="Made with care by" />
      </div>
    </div>
  )
}
