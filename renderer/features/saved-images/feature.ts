/** Saving the image, and opening saved images. */
import { SaveExecutable } from './save-executable.tsx';
import { SaveImage } from './save-image.tsx';
import { SavedImages } from './saved-images.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  dialogs: { 'save-image': SaveImage, 'saved-images': SavedImages, 'save-executable': SaveExecutable },
});
