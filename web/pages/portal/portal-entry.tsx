import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMatch, useNavigate, useSearchParams } from 'react-router-dom'
import { Logo, MakerFooter } from '../../features/session/brand'
import { portalQuery } from '../../features/session/current-user'
import { takeOverDrawn } from '../../lib/drawn-screen'
import { paths } from '../../lib/paths'
import { PageTitle } from '../../ui/page-title'
import { EntryCard, type EntryMode } from './entry-card'
import { Welcome } from './welcome'

/** The way in for everybody: login, or a new account. */
export const PortalEntry = () => {
  useEffect(takeOverDrawn, [])
  const letter = useOpenedLetter()
  const [mode, setMode] = useState<EntryMode>(letter ? 'register' : 'login')
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
            {...letter}
            loginTitle="Welcome back"
            logo={<Logo className="size-10 lg:hidden" />}
          />
        </main>
        <MakerFooter words="Made with care by" />
      </div>
    </div>
  )
}

/** The code of a letter of the school's, where its address was opened; it is used up by the new account. */
const useOpenedLetter = () => {
  const isHere = useMatch(paths.register) !== null
  const [search] = useSearchParams()
  const navigate = useNavigate()
  if (!isHere) return null
  return {
    code: search.get('code') ?? '',
    onRegistered: () => void navigate(paths.home, { replace: true }),
  }
}
