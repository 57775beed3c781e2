import { NoSection } from '../../features/admin-shell/no-section'
import { sectionsOf } from '../../features/admin-shell/sections'
import { useUser } from '../../features/session/current-user'
import { AdminFrame } from './admin-frame'
import { SettingsSection } from './settings-section'

/** The settings screen at its own address. */
export const SettingsPage = () => {
  const held = sectionsOf(useUser()).find((section) => section.key === 'settings')
  return (
    <AdminFrame title="Settings" section={held?.key ?? null}>
      {held ? (
        <SettingsSection />
      ) : (
        <NoSection title="Settings is not open to you">
          Your account does not have this section. Another administrator can give it to you.
        </NoSection>
      )}
    </AdminFrame>
  )
}
