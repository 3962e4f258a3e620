import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const accent: MantineColorsTuple = [
  '#eef4ff',
  '#dbe7fe',
  '#b9d2fd',
  '#8bb5fb',
  '#5b93f5',
  '#3a77ec',
  '#2a63dd',
  '#1f52c4',
  '#1b459f',
  '#183a7f',
];
// From text to background: all shades of Mantine's dark scale, so that no neutral grey remains.
const dark: MantineColorsTuple = [
  '#e6edf3',
  '#c0c8d1',
  '#a3abb5',
  '#6e7681',
  '#3a434d',
  '#2c343d',
  '#1b2129',
  '#0f1318',
  '#0b0e12',
  '#07090c',
];

// The danger color, dark enough for white text.
const red: MantineColorsTuple = [
  '#ffebe9',
  '#ffcecb',
  '#ffb3ad',
  '#ff8f87',
  '#f85149',
  '#e0443c',
  '#c8362d',
  '#b3261e',
  '#8f1d17',
  '#6e1511',
];

export const theme = createTheme({
  colors: { accent, dark, red },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  fontFamily: 'var(--ui-font)',
  fontFamilyMonospace: 'var(--ui-mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem' },
  lineHeights: { xs: '1rem', sm: '1.25rem', md: '1.25rem' },
  radius: { xs: '4px', sm: '6px', md: '8px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Notification: { defaultProps: { withBorder: false, radius: 'md', closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, shadow: 'none', offset: 6 } },
    // An open popover flips to the side with space when the window is resized.
    Popover: { defaultProps: { shadow: 'none', offset: 6, preventPositionChangeWhenVisible: false } },
    Tooltip: { defaultProps: { closeDelay: 100, offset: 10 } },
    Badge: { defaultProps: { tt: 'none' } },
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    // A dialog starts the focus on its first field, which must not cover the others.
    Select: { defaultProps: { openOnFocus: false } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    TagsInput: { defaultProps: { openOnFocus: false } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: schemeColors, dark: schemeColors });

// Mantine writes separate variables for each scheme, which outweigh `variables`. A token contains both schemes, so the
// same lines are used twice.
const schemeColors = {
  '--mantine-color-body': 'var(--ui-bg)',
  '--mantine-color-text': 'var(--ui-text)',
  '--mantine-color-dimmed': 'var(--ui-dim)',
  '--mantine-color-placeholder': 'var(--ui-placeholder)',
  '--mantine-color-anchor': 'var(--ui-link)',
  '--mantine-color-error': 'var(--ui-danger)',
  '--mantine-color-default': 'var(--ui-surface)',
  '--mantine-color-default-hover': 'var(--ui-hover)',
  '--mantine-color-default-color': 'var(--ui-text)',
  '--mantine-color-default-border': 'var(--ui-border)',
  '--mantine-color-accent-filled-hover': 'var(--ui-accent-hover)',
  '--mantine-color-red-filled': 'var(--ui-danger-fill)',
  '--mantine-color-red-outline': 'var(--ui-danger)',
  '--mantine-color-red-outline-hover': 'var(--ui-red-tint)',
  '--mantine-color-red-light-color': 'var(--ui-danger)',
  '--mantine-color-red-light-hover': 'var(--ui-red-tint)',
  // A colored Menu.Item uses the sixth shade in both schemes.
  '--mantine-color-red-6': 'var(--ui-danger)',
  '--mantine-color-red-text': 'var(--ui-danger)',
};
