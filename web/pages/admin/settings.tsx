import { SectionFrame } from './admin-frame'
import { SettingsSection } from './settings-section'

/** The settings screen at its own address. */
export const SettingsPage = () => (
  <SectionFrame title="Settings" section="settings">
    <SettingsSection />
  </SectionFrame>
)
