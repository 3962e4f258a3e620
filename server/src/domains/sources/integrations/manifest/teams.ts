import { chatCard } from '../chat-card.ts';

export const manifest = chatCard('teams', 'Notifications to channels and people, as cards.');
